C A loop over a REAL*8 variable, as FORTRAN 77 allows; steps exact in binary.
      PROGRAM REALDO
      DOUBLE PRECISION X, S
      REAL Y
      INTEGER K
      S = 0.0D0
      K = 0
      DO 10 X = 0.0D0, 2.0D0, 0.25D0
        S = S + X
        K = K + 1
   10 CONTINUE
      PRINT *, S, K, X
      DO 20 Y = 3.0, 1.0, -0.5
        K = K + 1
   20 CONTINUE
      PRINT *, K, Y
      END
