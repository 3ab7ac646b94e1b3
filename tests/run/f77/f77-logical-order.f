C     The order of .NOT., .AND., .OR., .EQV. and .NEQV. and of relations and arithmetic around them.
      PROGRAM MAIN
      LOGICAL A, B, C
      DO 10 I = 0, 7
      A = MOD(I, 2) .EQ. 1
      B = MOD(I/2, 2) .EQ. 1
      C = I .GE. 4
      PRINT *, A .OR. B .AND. C, .NOT. A .AND. B, A .EQV. B .OR. C,
     1  A .NEQV. B .NEQV. C,
     & .NOT. (A .OR. B) .EQV. .NOT. A .AND. .NOT. B
10    CONTINUE
      PRINT *, 1 + 2 .GT. 2 .AND. 3*2 .LE. 6 .OR. 1 .EQ. 0
      END
