C     A computed GO TO whose value names no label goes on behind it.
      PROGRAM MAIN
      INTEGER I, N(3)
      DATA N /3*0/
      DO 40 I = -1, 5
      GO TO (10, 20, 10), I
      N(3) = N(3) + 1
      GO TO 40
10    N(1) = N(1) + 1
      GO TO 40
20    N(2) = N(2) + I
40    CONTINUE
      PRINT *, N
      GO TO (50) 2 - 1
      PRINT *, 'NO'
50    PRINT *, 'YES'
      END
