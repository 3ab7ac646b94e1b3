C The bounds of an adjustable array are fixed at entry.
      PROGRAM ADJCH
      INTEGER A(3, 3)
      DO 10 I = 1, 3
      DO 10 J = 1, 3
   10 A(I, J) = 10 * I + J
      N = 3
      CALL CHANGE(A, N)
      PRINT *, N
      END
      SUBROUTINE CHANGE(A, N)
      INTEGER N, A(N, N)
      N = 1
      PRINT *, A(2, 2), A(1, 3), A(3, 1)
      N = N + 1
      A(3, 3) = 0
      PRINT *, A
      END
