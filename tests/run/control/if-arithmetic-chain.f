C A state machine of arithmetic IFs, jumping forward and back.
      PROGRAM CHAIN
      INTEGER N, K, STEPS
      N = 10
      K = 0
      STEPS = 0
    1 STEPS = STEPS + 1
      IF (N - 5) 2, 3, 4
    2 K = K + 1
      IF (K - 3) 5, 6, 6
    3 K = K - 2
      N = N - 1
      GO TO 1
    4 N = N - 1
      IF (MOD(N, 2)) 6, 7, 7
    5 N = N + 1
      IF (STEPS - 40) 1, 6, 6
    7 K = K + N
      GO TO 1
    6 PRINT *, N, K, STEPS
      END
