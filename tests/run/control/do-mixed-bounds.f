C Bounds and steps of other types are converted to that of the variable.
      PROGRAM MIXED
      INTEGER I, K
      DOUBLE PRECISION D
      K = 0
      DO 10 I = 1.9, 4.9
   10 K = K * 10 + I
      PRINT *, K, I
      DO 20 D = 1, 2, 0.5
   20 K = K + 1
      PRINT *, K, D
      DO 30 I = 3, 1, -1.7
   30 K = K + 100
      PRINT *, K, I
      END
