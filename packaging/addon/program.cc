// runProgram(argv, env, fds, limit, done): runs a program on a thread of its own, so that the main thread neither copies the tables of
// its memory for a child nor moves that child's output. Strings of env are NAME=value. The program is found on the PATH of this
// process, has /dev/null as its input, the descriptors of fds as 3 and up, and no other of ours; every signal is as it is by default.
// done(failure, status, signal, stdout, stderr) is called when the program has ended and nobody writes to its outputs any more: failure
// is the errno of why it did not start, status is -1 if a signal ended it, signal 0 if none did, and of each output there are the first
// `limit` bytes. Returns a function that kills the program, after which no outputs are waited for; or the errno of what failed before.
// Needs the C library and nothing else, so that it loads on every node.

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <node_api.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// The program starts on a stack that posix_spawn(3) makes for it, and nothing here needs much.
constexpr size_t kStackBytes = 256 * 1024;

// What most programs write at most. It is there before the thread is, whose first call of malloc(3) would cost it a heap of its own.
constexpr size_t kUsualOutputBytes = 4096;

// Where the kernel cannot wait for a process and for something else at a time.
constexpr int kPauseMs = 2;

struct Output {
  int our_end;
  int its_end;
  char* bytes;
  size_t size;
  size_t capacity;
};

// Made and freed by the main thread. In between it is the thread's, but for what the lock guards, and for `killed`, to be written to.
struct Program {
  // The thread's report, which may call in for the last time, and the function that kills.
  int owners;
  char** argv;
  char** env;
  posix_spawn_file_actions_t descriptors;
  posix_spawnattr_t signals;
  // What becomes the program's 3 and up.
  int* passed;
  uint32_t passed_count;
  size_t limit;
  Output outputs[2];
  int killed;

  napi_threadsafe_function report;
  pthread_t thread;
  bool has_thread;

  pthread_mutex_t lock;
  bool is_killed;
  // 0 before the program is started and from when its number may be another's.
  pid_t pid;

  int failure;
  // As waitpid(2) gives it.
  int status;
};

void Close(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

// ---- The thread.

// All that is there to read now, of which the first `limit` bytes are kept. False at the output's end.
bool Read(Output& output, size_t limit) {
  if (output.size == output.capacity && output.capacity < limit) {
    const size_t capacity = output.capacity * 2 < limit ? output.capacity * 2 : limit;
    if (void* bytes = realloc(output.bytes, capacity)) {
      output.bytes = static_cast<char*>(bytes);
      output.capacity = capacity;
    }
  }
  const size_t room = output.capacity - output.size;
  char surplus[16 * 1024];
  const ssize_t count = room > 0 ? read(output.our_end, output.bytes + output.size, room) : read(output.our_end, surplus, sizeof(surplus));
  if (count < 0) return errno == EINTR;
  if (room > 0) output.size += count;
  return count > 0;
}

// False if the program is to be killed.
bool ReadOutputs(Program& program) {
  auto& [out, err] = program.outputs;
  pollfd polled[] = {{program.killed, POLLIN, 0}, {out.our_end, POLLIN, 0}, {err.our_end, POLLIN, 0}};
  while (polled[1].fd >= 0 || polled[2].fd >= 0) {
    if (poll(polled, 3, -1) < 0) continue;
    if (polled[0].revents != 0) return false;
    if (polled[1].revents != 0 && !Read(out, program.limit)) polled[1].fd = -1;
    if (polled[2].revents != 0 && !Read(err, program.limit)) polled[2].fd = -1;
  }
  return true;
}

bool HasEnded(pid_t pid) {
  siginfo_t info = {};
  return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

// The program may close its outputs and live on.
void WaitForEnd(Program& program) {
  if (HasEnded(program.pid)) return;
  // No C library that is older than the kernel's call has a function for it. It fails before Linux 5.3.
  int process = static_cast<int>(syscall(SYS_pidfd_open, program.pid, 0));
  pollfd polled[] = {{program.killed, POLLIN, 0}, {process, POLLIN, 0}};
  const int pause_ms = process < 0 ? kPauseMs : -1;
  do {
    poll(polled, 2, pause_ms);
  } while (polled[0].revents == 0 && !HasEnded(program.pid));
  Close(process);
}

// Waits without the lock, since a program that waits for a broken disk is not ended by a signal either.
void Reap(Program& program) {
  siginfo_t info = {};
  while (waitid(P_PID, program.pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
  pthread_mutex_lock(&program.lock);
  if (waitpid(program.pid, &program.status, WNOHANG) < 0) program.failure = errno;
  program.pid = 0;
  pthread_mutex_unlock(&program.lock);
}

// It may have been killed before.
bool Start(Program& program) {
  pthread_mutex_lock(&program.lock);
  if (!program.is_killed) program.failure = posix_spawnp(&program.pid, program.argv[0], &program.descriptors, &program.signals, program.argv, program.env);
  pthread_mutex_unlock(&program.lock);
  for (Output& output : program.outputs) Close(output.its_end);
  for (uint32_t i = 0; i < program.passed_count; i++) Close(program.passed[i]);
  return program.pid != 0;
}

void* Run(void* data) {
  Program& program = *static_cast<Program*>(data);
  pthread_setname_np(pthread_self(), "program");
  if (Start(program)) {
    if (ReadOutputs(program)) WaitForEnd(program);
    Reap(program);
  }
  const napi_threadsafe_function report = program.report;
  // It refuses at the end of the process, and is then not to be used any more.
  if (napi_call_threadsafe_function(report, nullptr, napi_tsfn_blocking) == napi_ok) napi_release_threadsafe_function(report, napi_tsfn_release);
  return nullptr;
}

// ---- The main thread.

// At once, so that this process can end and leave none behind; but it waits for a program that is being started.
void Kill(Program& program) {
  pthread_mutex_lock(&program.lock);
  program.is_killed = true;
  if (program.pid != 0) kill(program.pid, SIGKILL);
  pthread_mutex_unlock(&program.lock);
  if (program.killed >= 0) eventfd_write(program.killed, 1);
}

void Free(Program& program) {
  for (Output& output : program.outputs) {
    Close(output.our_end);
    Close(output.its_end);
    free(output.bytes);
    output.bytes = nullptr;
  }
  for (uint32_t i = 0; i < program.passed_count; i++) Close(program.passed[i]);
  Close(program.killed);
  free(program.passed);
  free(program.argv);
  free(program.env);
  posix_spawn_file_actions_destroy(&program.descriptors);
  posix_spawnattr_destroy(&program.signals);
}

void Disown(Program& program) {
  if (--program.owners > 0) return;
  pthread_mutex_destroy(&program.lock);
  free(&program);
}

// When the thread has reported, or has been refused.
void Finish(napi_env, void* data, void*) {
  Program& program = *static_cast<Program*>(data);
  if (program.has_thread) {
    Kill(program);
    pthread_join(program.thread, nullptr);
  }
  Free(program);
  Disown(program);
}

void Report(napi_env env, napi_value done, void* context, void*) {
  // Null at the end of the process.
  if (env == nullptr) return;
  const Program& program = *static_cast<Program*>(context);
  const auto& [out, err] = program.outputs;
  const bool was_killed = WIFSIGNALED(program.status);
  napi_value arguments[5];
  napi_create_int32(env, program.failure, &arguments[0]);
  napi_create_int32(env, was_killed ? -1 : WEXITSTATUS(program.status), &arguments[1]);
  napi_create_int32(env, was_killed ? WTERMSIG(program.status) : 0, &arguments[2]);
  napi_create_buffer_copy(env, out.size, out.bytes, nullptr, &arguments[3]);
  napi_create_buffer_copy(env, err.size, err.bytes, nullptr, &arguments[4]);
  napi_value undefined;
  napi_get_undefined(env, &undefined);
  napi_call_function(env, undefined, done, 5, arguments, nullptr);
}

// The strings as execve(2) takes them, in one allocation. Null for what is no list of strings, or where one has a NUL inside.
char** CopyStrings(napi_env env, napi_value list) {
  uint32_t count = 0;
  if (napi_get_array_length(env, list, &count) != napi_ok) return nullptr;
  napi_value item;
  size_t length = 0;
  size_t bytes = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (napi_get_element(env, list, i, &item) != napi_ok || napi_get_value_string_utf8(env, item, nullptr, 0, &length) != napi_ok) return nullptr;
    bytes += length + 1;
  }
  const size_t pointers = (count + 1) * sizeof(char*);
  auto** strings = static_cast<char**>(malloc(pointers + bytes));
  if (strings == nullptr) return nullptr;
  char* next = reinterpret_cast<char*>(strings) + pointers;
  for (uint32_t i = 0; i < count; i++) {
    napi_get_element(env, list, i, &item);
    napi_get_value_string_utf8(env, item, next, bytes, &length);
    if (strlen(next) != length) {
      free(strings);
      return nullptr;
    }
    strings[i] = next;
    next += length + 1;
    bytes -= length + 1;
  }
  strings[count] = nullptr;
  return strings;
}

// Duplicates, since the caller may close its own at once. All are above what the program gets them as, so that none is written over.
int CopyDescriptors(napi_env env, napi_value list, Program& program) {
  uint32_t count = 0;
  if (napi_get_array_length(env, list, &count) != napi_ok) return EINVAL;
  program.passed = static_cast<int*>(malloc((count + 1) * sizeof(int)));
  if (program.passed == nullptr) return ENOMEM;
  for (uint32_t i = 0; i < count; i++) {
    napi_value item;
    int fd = -1;
    if (napi_get_element(env, list, i, &item) != napi_ok || napi_get_value_int32(env, item, &fd) != napi_ok) return EINVAL;
    const int passed = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1 + static_cast<int>(count));
    if (passed < 0) return errno;
    program.passed[program.passed_count++] = passed;
  }
  return 0;
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

int OpenDescriptors(Program& program) {
  program.killed = eventfd(0, EFD_CLOEXEC);
  if (program.killed < 0) return errno;
  for (Output& output : program.outputs) {
    if (const int failure = OpenOutput(output, program.limit)) return failure;
  }
  return 0;
}

int PlanDescriptors(Program& program) {
  posix_spawn_file_actions_t* plan = &program.descriptors;
  int failure = posix_spawn_file_actions_addopen(plan, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(plan, program.outputs[0].its_end, STDOUT_FILENO);
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(plan, program.outputs[1].its_end, STDERR_FILENO);
  for (uint32_t i = 0; i < program.passed_count && failure == 0; i++) {
    failure = posix_spawn_file_actions_adddup2(plan, program.passed[i], STDERR_FILENO + 1 + static_cast<int>(i));
  }
  return failure;
}

void PlanSignals(Program& program) {
  sigset_t all;
  sigset_t none;
  // sigfillset(3) leaves out the two of the C library itself, which posix_spawn(3) then has ignored.
  memset(&all, 0xff, sizeof(all));
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&program.signals, &all);
  posix_spawnattr_setsigmask(&program.signals, &none);
  posix_spawnattr_setflags(&program.signals, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

// With no signals, which are the main thread's.
int StartThread(Program& program) {
  sigset_t all;
  sigfillset(&all);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setsigmask_np(&attributes, &all);
  const int failure = pthread_create(&program.thread, &attributes, Run, &program);
  pthread_attr_destroy(&attributes);
  program.has_thread = failure == 0;
  return failure;
}

Program* MakeProgram() {
  auto* program = static_cast<Program*>(calloc(1, sizeof(Program)));
  if (program == nullptr) return nullptr;
  program->owners = 1;
  // What is told of a program that is not started any more.
  program->status = SIGKILL;
  program->killed = -1;
  for (Output& output : program->outputs) output.our_end = output.its_end = -1;
  posix_spawn_file_actions_init(&program->descriptors);
  posix_spawnattr_init(&program->signals);
  pthread_mutex_init(&program->lock, nullptr);
  return program;
}

int Prepare(napi_env env, const napi_value (&arguments)[5], Program& program) {
  uint32_t limit = 0;
  program.argv = CopyStrings(env, arguments[0]);
  program.env = CopyStrings(env, arguments[1]);
  const bool is_sound = program.argv != nullptr && program.argv[0] != nullptr && program.env != nullptr && napi_get_value_uint32(env, arguments[3], &limit) == napi_ok;
  if (!is_sound) return EINVAL;
  program.limit = limit;
  int failure = CopyDescriptors(env, arguments[2], program);
  if (failure == 0) failure = OpenDescriptors(program);
  if (failure == 0) failure = PlanDescriptors(program);
  PlanSignals(program);
  return failure;
}

int OpenReport(napi_env env, napi_value done, Program& program) {
  napi_value name;
  napi_create_string_utf8(env, "program", NAPI_AUTO_LENGTH, &name);
  const auto status = napi_create_threadsafe_function(env, done, nullptr, name, 0, 1, &program, Finish, &program, Report, &program.report);
  return status == napi_ok ? 0 : EINVAL;
}

napi_value CallKill(napi_env env, napi_callback_info info) {
  void* program = nullptr;
  napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &program);
  Kill(*static_cast<Program*>(program));
  return nullptr;
}

napi_value Killer(napi_env env, Program& program) {
  napi_value function;
  napi_create_function(env, "kill", NAPI_AUTO_LENGTH, CallKill, &program, &function);
  const auto disown = [](napi_env, void* data, void*) { Disown(*static_cast<Program*>(data)); };
  if (napi_add_finalizer(env, function, &program, disown, nullptr, nullptr) == napi_ok) program.owners++;
  return function;
}

napi_value Number(napi_env env, int number) {
  napi_value value;
  napi_create_int32(env, number, &value);
  return value;
}

napi_value RunProgram(napi_env env, napi_callback_info info) {
  size_t count = 5;
  napi_value arguments[5];
  napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr);
  Program* program = MakeProgram();
  if (program == nullptr) return Number(env, ENOMEM);
  int failure = Prepare(env, arguments, *program);
  if (failure == 0) failure = OpenReport(env, arguments[4], *program);
  if (failure != 0) {
    Free(*program);
    Disown(*program);
    return Number(env, failure);
  }
  failure = StartThread(*program);
  if (failure == 0) return Killer(env, *program);
  // Finish() frees the rest.
  napi_release_threadsafe_function(program->report, napi_tsfn_abort);
  return Number(env, failure);
}

}  // namespace

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "runProgram", NAPI_AUTO_LENGTH, RunProgram, nullptr, &function);
  napi_set_named_property(env, exports, "runProgram", function);
  return exports;
}
