# perl receive-datagrams.pl SOCKET: receives datagrams on a Unix socket until SIGTERM, and prints each as a line of hexadecimal digits after a
# line that says "ready". Node.js has no such sockets; perl is in every Debian.
use strict;
use warnings;
use Socket qw(AF_UNIX SOCK_DGRAM MSG_DONTWAIT pack_sockaddr_un);

$| = 1;
my ($path) = @ARGV;
socket(my $socket, AF_UNIX, SOCK_DGRAM, 0) or die "socket: $!";
bind($socket, pack_sockaddr_un($path =~ s/^@/\0/r)) or die "bind $path: $!";
my $ended = 0;
$SIG{TERM} = sub { $ended = 1 };
print "ready\n";

my $readable = '';
vec($readable, fileno($socket), 1) = 1;
# What came before the signal is still there after it.
while (1) {
  my $any = select(my $which = $readable, undef, undef, $ended ? 0 : 0.1);
  last if $ended && $any <= 0;
  next if $any <= 0;
  my $datagram;
  print unpack('H*', $datagram), "\n" if defined recv($socket, $datagram, 1 << 20, MSG_DONTWAIT);
}
