#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Kills the rank that LEAVER names, and lets the others wait. */
int leave_(void) {
  const char *rank = getenv("TRUELINE_RANK"), *leaver = getenv("LEAVER");
  if (!rank || !leaver) return 0;
  if (atoi(rank) == atoi(leaver)) kill(getpid(), SIGKILL);
  pause();
  return 0;
}
