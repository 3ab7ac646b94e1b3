C     END as the target of jumps, one-line IFs with other one-line statements
      PROGRAM P
      INTEGER I, A(4)
      COMMON /C/ N
      N = 0
      DO 10 I = 1, 4
      A(I) = I
   10 CONTINUE
      CALL S(3)
      CALL S(-3)
      PRINT *, N, K(2), K(-2)
      I = 2
      IF (I .EQ. 2) WHERE (A .GT. 2) A = 0
      PRINT *, A
      IF (I .EQ. 2) FORALL (J = 1:4) A(J) = J*J
      PRINT *, A
      IF (I .EQ. 3) FORALL (J = 1:4) A(J) = 0
      IF (I .GT. 1) IF (I) 40, 30, 20
   20 PRINT *, 'positive'
      IF (I .EQ. 2) GO TO 50
   30 PRINT *, 'zero'
   40 PRINT *, 'negative'
   50 END
      SUBROUTINE S(I)
      COMMON /C/ N
      N = N + 1
      IF (I .LT. 0) GO TO 99
      N = N + I
   99 END
      INTEGER FUNCTION K(I)
      K = I
      IF (I) 9, 9, 8
    8 K = 10*I
    9 END
