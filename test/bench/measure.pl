# perl measure.pl ROOT PROGRAM [ARGUMENTS]: runs a program, with ROOT as its root directory, and prints, as the last line of stderr, its wall time, user and system CPU time in
# microseconds, its largest resident set in KiB and its exit status. Node.js has no getrusage(2) for a child; perl is in every Debian.
use strict;
use warnings;
use POSIX ();
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my %getrusage = (x86_64 => 98, aarch64 => 165);
my $RUSAGE_CHILDREN = -1;

my $root = shift @ARGV;
my $start = clock_gettime(CLOCK_MONOTONIC);
my $child = fork() // die "fork: $!";
if ($child == 0) {
  # By itself, since chroot(1) is another program, with a time of its own.
  if ($root ne "/") { chroot $root and chdir "/" or die "chroot $root: $!"; }
  exec { $ARGV[0] } @ARGV or die "exec $ARGV[0]: $!";
}
waitpid $child, 0;
my $status = $?;
my $wall = clock_gettime(CLOCK_MONOTONIC) - $start;

# struct rusage: the user and the system time, each in seconds and microseconds, then ru_maxrss.
my $rusage = "\0" x 144;
syscall($getrusage{(POSIX::uname())[4]}, $RUSAGE_CHILDREN, $rusage) == 0 or die "getrusage: $!";
my ($user, $user_us, $system, $system_us, $rss) = unpack("q5", $rusage);
my $signal = $status & 127;
printf STDERR "\n%d %d %d %d %d\n", $wall * 1e6, $user * 1e6 + $user_us, $system * 1e6 + $system_us, $rss, $signal ? 128 + $signal : $status >> 8;
