C SAVE of one variable, of an array, and of everything.
      PROGRAM SAVES
      INTEGER I
      DO 10 I = 1, 3
      CALL ONE(I)
   10 CALL ALL(I)
      END
      SUBROUTINE ONE(I)
      INTEGER I, N, A(3)
      SAVE N, A
      IF (I .EQ. 1) THEN
        N = 0
        A(1) = 0
        A(2) = 0
        A(3) = 0
      END IF
      N = N + I
      A(I) = N
      PRINT *, N, A
      END
      SUBROUTINE ALL(I)
      SAVE
      INTEGER I, K
      REAL X
      IF (I .EQ. 1) X = 1.0
      IF (I .EQ. 1) K = 0
      X = X * 2.0
      K = K - I
      PRINT *, X, K
      END
