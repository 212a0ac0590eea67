// runProgram(argv, env, fds, limit, done): runs a program on a thread of its own, so that the main thread neither copies the tables of
// its memory for a child nor moves that child's output. Strings of env are NAME=value. The program is found on the PATH of this
// process, has /dev/null as its input, the descriptors of fds as 3 and up, and no other of ours; every signal is as it is by default.
// done(failure, status, signal, stdout, stderr) is called when the program has ended and nobody writes to its outputs any more: failure
// is the errno of why it did not start, status is -1 if a signal ended it, signal 0 if none did, and of each output there are the first
// `limit` bytes. Returns a function that kills the program, after which no outputs are waited for; or the errno of what failed before.
// Needs the C library and nothing else, so that it loads on every node.

#include "child.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <node_api.h>
#include <pthread.h>
#include <sys/wait.h>

namespace {

// The program starts on a stack that posix_spawn(3) makes for it, and nothing here needs much.
constexpr size_t kStackBytes = 256 * 1024;

struct Program {
  Child child;
  pthread_t thread;
  bool has_thread;
  napi_threadsafe_function report;
  // The report, which comes once from the thread and ends with it, and the function that kills, which JavaScript may keep for longer.
  int owners;
};

Program& ProgramOf(void* data) {
  return *static_cast<Program*>(data);
}

void* RunInThread(void* data) {
  Program& program = ProgramOf(data);
  pthread_setname_np(pthread_self(), "program");
  RunChild(program.child);
  // It refuses at the end of the process, and is then not to be used any more.
  const auto status = napi_call_threadsafe_function(program.report, nullptr, napi_tsfn_blocking);
  if (status == napi_ok) napi_release_threadsafe_function(program.report, napi_tsfn_release);
  return nullptr;
}

// Without signals, which are the main thread's.
int StartThread(Program& program) {
  sigset_t all;
  sigfillset(&all);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setsigmask_np(&attributes, &all);
  const int failure = pthread_create(&program.thread, &attributes, RunInThread, &program);
  pthread_attr_destroy(&attributes);
  program.has_thread = failure == 0;
  return failure;
}

void CallDone(napi_env env, napi_value done, void* context, void*) {
  // Null at the end of the process.
  if (env == nullptr) return;
  const Child& child = ProgramOf(context).child;
  const auto& [out, err] = child.outputs;
  const bool by_signal = WIFSIGNALED(child.status);
  napi_value arguments[5];
  napi_create_int32(env, child.failure, &arguments[0]);
  napi_create_int32(env, by_signal ? -1 : WEXITSTATUS(child.status), &arguments[1]);
  napi_create_int32(env, by_signal ? WTERMSIG(child.status) : 0, &arguments[2]);
  napi_create_buffer_copy(env, out.size, out.bytes, nullptr, &arguments[3]);
  napi_create_buffer_copy(env, err.size, err.bytes, nullptr, &arguments[4]);
  napi_value undefined;
  napi_get_undefined(env, &undefined);
  napi_call_function(env, undefined, done, 5, arguments, nullptr);
}

void Disown(napi_env, void* data, void*) {
  Program& program = ProgramOf(data);
  if (--program.owners > 0) return;
  free(&program);
}

// After the report, or at the end of the JavaScript thread, which its programs do not outlive.
void Finish(napi_env env, void* data, void*) {
  Program& program = ProgramOf(data);
  if (program.has_thread) {
    KillChild(program.child);
    pthread_join(program.thread, nullptr);
  }
  FreeChild(program.child);
  Disown(env, data, nullptr);
}

// In one allocation. Null for what is no list of strings, or where one has a NUL inside.
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
  const size_t pointer_bytes = (count + 1) * sizeof(char*);
  auto** strings = static_cast<char**>(malloc(pointer_bytes + bytes));
  if (strings == nullptr) return nullptr;
  char* next = reinterpret_cast<char*>(strings) + pointer_bytes;
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

int PassDescriptors(napi_env env, napi_value list, Child& child) {
  uint32_t count = 0;
  if (napi_get_array_length(env, list, &count) != napi_ok) return EINVAL;
  for (uint32_t i = 0; i < count; i++) {
    napi_value item;
    int fd = -1;
    if (napi_get_element(env, list, i, &item) != napi_ok || napi_get_value_int32(env, item, &fd) != napi_ok) return EINVAL;
    if (const int failure = PassDescriptor(child, fd, count)) return failure;
  }
  return 0;
}

int Prepare(napi_env env, const napi_value (&arguments)[5], Program& program) {
  Child& child = program.child;
  uint32_t limit = 0;
  child.argv = CopyStrings(env, arguments[0]);
  child.env = CopyStrings(env, arguments[1]);
  if (child.argv == nullptr || child.argv[0] == nullptr || child.env == nullptr) return EINVAL;
  if (napi_get_value_uint32(env, arguments[3], &limit) != napi_ok) return EINVAL;
  child.limit = limit;
  if (const int failure = PassDescriptors(env, arguments[2], child)) return failure;
  if (const int failure = PrepareChild(child)) return failure;
  napi_value name;
  napi_create_string_utf8(env, "program", NAPI_AUTO_LENGTH, &name);
  const auto status = napi_create_threadsafe_function(env, arguments[4], nullptr, name, 0, 1, &program, Finish, &program, CallDone, &program.report);
  return status == napi_ok ? 0 : EINVAL;
}

napi_value CallKill(napi_env env, napi_callback_info info) {
  void* data = nullptr;
  napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &data);
  KillChild(ProgramOf(data).child);
  return nullptr;
}

napi_value MakeKill(napi_env env, Program& program) {
  napi_value function;
  napi_create_function(env, "kill", NAPI_AUTO_LENGTH, CallKill, &program, &function);
  if (napi_add_finalizer(env, function, &program, Disown, nullptr, nullptr) == napi_ok) program.owners++;
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
  auto* program = static_cast<Program*>(calloc(1, sizeof(Program)));
  if (program == nullptr) return Number(env, ENOMEM);
  program->owners = 1;
  InitChild(program->child);
  if (const int failure = Prepare(env, arguments, *program)) {
    Finish(env, program, nullptr);
    return Number(env, failure);
  }
  if (const int failure = StartThread(*program)) {
    // Finish() is then called for it.
    napi_release_threadsafe_function(program->report, napi_tsfn_abort);
    return Number(env, failure);
  }
  return MakeKill(env, *program);
}

}  // namespace

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "runProgram", NAPI_AUTO_LENGTH, RunProgram, nullptr, &function);
  napi_set_named_property(env, exports, "runProgram", function);
  return exports;
}
