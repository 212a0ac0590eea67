// sendDatagram(path, bytes): sends one datagram to a Unix socket, as systemd and its journal take them and Node.js cannot send them.
// Returns 0, or the errno of what failed. Needs the C library and nothing else, so that it loads on every node.

#include <cerrno>
#include <cstddef>
#include <cstring>

#include <node_api.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

// A receiver that has stopped reading must not stop us.
constexpr timeval kPatience = {1, 0};

struct Address {
  sockaddr_un socket;
  socklen_t size;
};

// A name that begins with "@" is not in the file system: its first byte is NUL, and it has no other end than its length.
bool SetPath(Address& address, const char* path, size_t length) {
  if (length == 0 || length >= sizeof(address.socket.sun_path)) return false;
  address.socket.sun_family = AF_UNIX;
  memcpy(address.socket.sun_path, path, length + 1);
  const bool is_abstract = path[0] == '@';
  if (is_abstract) address.socket.sun_path[0] = '\0';
  address.size = offsetof(sockaddr_un, sun_path) + length + (is_abstract ? 0 : 1);
  return true;
}

int Send(const Address& address, const void* bytes, size_t size) {
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof(kPatience));
  const auto* to = reinterpret_cast<const sockaddr*>(&address.socket);
  const int failure = sendto(fd, bytes, size, MSG_NOSIGNAL, to, address.size) < 0 ? errno : 0;
  close(fd);
  return failure;
}

int SendDatagram(napi_env env, napi_value path_value, napi_value bytes_value) {
  char path[sizeof(sockaddr_un::sun_path) + 1];
  size_t length = 0;
  if (napi_get_value_string_utf8(env, path_value, path, sizeof(path), &length) != napi_ok) return EINVAL;
  void* bytes = nullptr;
  size_t size = 0;
  if (napi_get_buffer_info(env, bytes_value, &bytes, &size) != napi_ok) return EINVAL;
  Address address = {};
  return SetPath(address, path, length) ? Send(address, bytes, size) : ENAMETOOLONG;
}

napi_value CallSendDatagram(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value arguments[2];
  napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr);
  napi_value result;
  napi_create_int32(env, count < 2 ? EINVAL : SendDatagram(env, arguments[0], arguments[1]), &result);
  return result;
}

}  // namespace

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "sendDatagram", NAPI_AUTO_LENGTH, CallSendDatagram, nullptr, &function);
  napi_set_named_property(env, exports, "sendDatagram", function);
  return exports;
}
