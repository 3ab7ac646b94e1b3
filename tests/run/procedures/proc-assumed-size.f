C Assumed-size arrays, sequence association with elements.
      PROGRAM ASSUME
      INTEGER A(2, 3), T
      DO 10 J = 1, 3
      DO 10 I = 1, 2
   10 A(I, J) = 10 * I + J
      PRINT *, T(A, 6), T(A(1, 2), 4), T(A(2, 3), 1)
      CALL LAST(A, 2)
      CALL LAST(A(1, 2), 1)
      PRINT *, A
      END
      INTEGER FUNCTION T(V, N)
      INTEGER V(*), N
      T = 0
      DO 10 I = 1, N
   10 T = T + V(I) * I
      END
      SUBROUTINE LAST(W, N)
      INTEGER W(2, 0:*), N
      W(2, N) = 0
      W(1, N - 1) = W(1, N - 1) + 100
      END
