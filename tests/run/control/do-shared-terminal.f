C Three loops end on one labelled statement, which is not a CONTINUE.
      PROGRAM SHARED
      INTEGER I, J, K, N, M
      N = 0
      M = 0
      DO 10 I = 1, 3
      DO 10 J = I, 3
      DO 10 K = 1, J
   10 N = N + I * J * K
      PRINT *, N, I, J, K
      DO 20 I = 1, 4
      M = M + 100
      DO 20 J = 1, I - 1
      IF (MOD(I + J, 2) .EQ. 0) GO TO 20
      M = M + J
   20 CONTINUE
      PRINT *, M, I, J
      END
