C     The arithmetic IF on INTEGER, REAL and DOUBLE PRECISION, with labels that are the same.
      PROGRAM MAIN
      DOUBLE PRECISION D
      INTEGER K
      REAL X
      D = -1.D-300
      IF (D) 10, 20, 20
10    PRINT *, 'D NEGATIVE'
20    X = 0.0
      IF (X) 30, 40, 30
30    PRINT *, 'NO'
40    PRINT *, 'X ZERO'
      DO 80 K = -1, 1
      IF (K*2) 50, 50, 60
50    PRINT *, K, ' NOT POSITIVE'
      GO TO 80
60    PRINT *, K, ' POSITIVE'
80    CONTINUE
      END
