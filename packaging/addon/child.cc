#include "child.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// What most programs write at most. It is there before the thread is, whose first call of malloc(3) would cost it a heap of its own.
constexpr size_t kUsualOutputBytes = 4096;

// Where the kernel cannot wait for a process and for something else at a time.
constexpr int kPauseMs = 2;

constexpr uint32_t kFirstPassed = STDERR_FILENO + 1;

void Close(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

void ClosePassed(Child& child) {
  for (uint32_t i = 0; i < child.passed_count; i++) Close(child.passed[i]);
}

int OpenOutput(Output& output, size_t limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  output.our_end = ends[0];
  output.its_end = ends[1];
  output.bytes = static_cast<char*>(malloc(kUsualOutputBytes));
  output.capacity = limit < kUsualOutputBytes ? limit : kUsualOutputBytes;
  return output.bytes == nullptr ? ENOMEM : 0;
}

int PlanDescriptors(Child& child) {
  posix_spawn_file_actions_t* plan = &child.descriptors;
  int failure = posix_spawn_file_actions_addopen(plan, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(plan, child.outputs[0].its_end, STDOUT_FILENO);
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(plan, child.outputs[1].its_end, STDERR_FILENO);
  for (uint32_t i = 0; i < child.passed_count && failure == 0; i++) {
    failure = posix_spawn_file_actions_adddup2(plan, child.passed[i], static_cast<int>(kFirstPassed + i));
  }
  return failure;
}

void PlanSignals(Child& child) {
  sigset_t all;
  sigset_t none;
  // sigfillset(3) leaves out the two of the C library itself, which posix_spawn(3) then has ignored.
  memset(&all, 0xff, sizeof(all));
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&child.signals, &all);
  posix_spawnattr_setsigmask(&child.signals, &none);
  posix_spawnattr_setflags(&child.signals, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

// False if it was killed before, or could not be started.
bool Start(Child& child) {
  pthread_mutex_lock(&child.lock);
  if (!child.is_killed) child.failure = posix_spawnp(&child.pid, child.argv[0], &child.descriptors, &child.signals, child.argv, child.env);
  pthread_mutex_unlock(&child.lock);
  for (Output& output : child.outputs) Close(output.its_end);
  ClosePassed(child);
  return child.pid != 0;
}

void Grow(Output& output, size_t limit) {
  const size_t capacity = output.capacity * 2 < limit ? output.capacity * 2 : limit;
  void* bytes = realloc(output.bytes, capacity);
  if (bytes == nullptr) return;
  output.bytes = static_cast<char*>(bytes);
  output.capacity = capacity;
}

// Some of what is there to read, of which nothing is kept beyond the limit. False at the output's end.
bool Read(Output& output, size_t limit) {
  if (output.size == output.capacity && output.capacity < limit) Grow(output, limit);
  const size_t room = output.capacity - output.size;
  char surplus[16 * 1024];
  const ssize_t count = room > 0 ? read(output.our_end, output.bytes + output.size, room) : read(output.our_end, surplus, sizeof(surplus));
  if (count < 0) return errno == EINTR;
  if (room > 0) output.size += count;
  return count > 0;
}

// False if the program was killed.
bool ReadOutputs(Child& child) {
  auto& [out, err] = child.outputs;
  pollfd polled[] = {{child.wake, POLLIN, 0}, {out.our_end, POLLIN, 0}, {err.our_end, POLLIN, 0}};
  while (polled[1].fd >= 0 || polled[2].fd >= 0) {
    if (poll(polled, 3, -1) < 0) continue;
    if (polled[0].revents != 0) return false;
    if (polled[1].revents != 0 && !Read(out, child.limit)) polled[1].fd = -1;
    if (polled[2].revents != 0 && !Read(err, child.limit)) polled[2].fd = -1;
  }
  return true;
}

bool HasEnded(pid_t pid) {
  siginfo_t info = {};
  return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

// The program may close its outputs and live on. Returns also when it was killed.
void AwaitEnd(Child& child) {
  if (HasEnded(child.pid)) return;
  // C libraries of the time have no function for it. It fails before Linux 5.3.
  int process = static_cast<int>(syscall(SYS_pidfd_open, child.pid, 0));
  pollfd polled[] = {{child.wake, POLLIN, 0}, {process, POLLIN, 0}};
  do {
    poll(polled, 2, process < 0 ? kPauseMs : -1);
  } while (polled[0].revents == 0 && !HasEnded(child.pid));
  Close(process);
}

// It waits without the lock, since a program that waits for a broken disk does not end when it is killed.
void Reap(Child& child) {
  siginfo_t info = {};
  while (waitid(P_PID, child.pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
  pthread_mutex_lock(&child.lock);
  if (waitpid(child.pid, &child.status, WNOHANG) < 0) child.failure = errno;
  child.pid = 0;
  pthread_mutex_unlock(&child.lock);
}

}  // namespace

void InitChild(Child& child) {
  child = {};
  child.wake = -1;
  for (Output& output : child.outputs) output.our_end = output.its_end = -1;
  posix_spawn_file_actions_init(&child.descriptors);
  posix_spawnattr_init(&child.signals);
  pthread_mutex_init(&child.lock, nullptr);
  // For a program that is killed before it is started.
  child.status = SIGKILL;
}

int PassDescriptor(Child& child, int fd, uint32_t count) {
  if (child.passed == nullptr) child.passed = static_cast<int*>(malloc(count * sizeof(int)));
  if (child.passed == nullptr) return ENOMEM;
  // Above all that the program gets, so that none is written over before it is passed.
  const int duplicate = fcntl(fd, F_DUPFD_CLOEXEC, static_cast<int>(kFirstPassed + count));
  if (duplicate < 0) return errno;
  child.passed[child.passed_count++] = duplicate;
  return 0;
}

int PrepareChild(Child& child) {
  child.wake = eventfd(0, EFD_CLOEXEC);
  if (child.wake < 0) return errno;
  for (Output& output : child.outputs) {
    if (const int failure = OpenOutput(output, child.limit)) return failure;
  }
  PlanSignals(child);
  return PlanDescriptors(child);
}

void RunChild(Child& child) {
  if (!Start(child)) return;
  if (ReadOutputs(child)) AwaitEnd(child);
  Reap(child);
}

void KillChild(Child& child) {
  pthread_mutex_lock(&child.lock);
  child.is_killed = true;
  if (child.pid != 0) kill(child.pid, SIGKILL);
  pthread_mutex_unlock(&child.lock);
  if (child.wake >= 0) eventfd_write(child.wake, 1);
}

void FreeChild(Child& child) {
  for (Output& output : child.outputs) {
    Close(output.our_end);
    Close(output.its_end);
    free(output.bytes);
  }
  ClosePassed(child);
  Close(child.wake);
  free(child.passed);
  free(child.argv);
  free(child.env);
  posix_spawn_file_actions_destroy(&child.descriptors);
  posix_spawnattr_destroy(&child.signals);
}
