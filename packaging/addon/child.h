// A program that is run to its end by a thread, and may be killed by another. Knows nothing of Node.js.

#pragma once

#include <cstddef>
#include <cstdint>

#include <pthread.h>
#include <spawn.h>
#include <sys/types.h>

// The beginning of what the program writes.
struct Output {
  int our_end;
  int its_end;
  char* bytes;
  size_t size;
  size_t capacity;
};

// Made and freed by one thread. In between it is that of the thread which runs it, but for what the lock guards and for `wake`.
struct Child {
  // As execve(2) takes them, each in one allocation that is freed with the child.
  char** argv;
  char** env;
  // What becomes the program's 3 and up: duplicates of our own.
  int* passed;
  uint32_t passed_count;
  // Bytes that are kept of each output.
  size_t limit;

  Output outputs[2];
  posix_spawn_file_actions_t descriptors;
  posix_spawnattr_t signals;
  // An eventfd(2), to be written to.
  int wake;

  pthread_mutex_t lock;
  bool is_killed;
  // 0 before the program is started, and from when its number may be another's.
  pid_t pid;

  // The errno of why it was not started, or else how it ended, as waitpid(2) gives it.
  int failure;
  int status;
};

void InitChild(Child& child);

// Has the program get a descriptor as its next one, from 3 on, of `count` in all. The caller may close its own at once.
// As all that can fail here it returns 0, or the errno.
int PassDescriptor(Child& child, int fd, uint32_t count);

// All that can be done before the thread runs, when argv, env, limit and what is passed are known.
int PrepareChild(Child& child);

// Starts the program and returns when it has ended and nobody writes to its outputs any more, or when it was killed.
void RunChild(Child& child);

// At once, so that this process can end and leave none behind; but it waits for a program that is being started. Before that it is
// not started any more, and after its end nothing happens.
void KillChild(Child& child);

// What the child has of memory and descriptors. It may still be killed, in vain.
void FreeChild(Child& child);
