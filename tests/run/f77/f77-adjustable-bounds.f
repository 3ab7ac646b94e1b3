C     Adjustable arrays with lower bounds, bounds from COMMON, and assumed-size ones of several dimensions.
      PROGRAM MAIN
      COMMON /DIMS/ LO, HI
      INTEGER HI
      REAL A(12)
      DO 10 I = 1, 12
10    A(I) = I
      LO = -1
      HI = 2
      CALL ONE(A, 3)
      CALL TWO(A(3), 2)
      END
      SUBROUTINE ONE(X, N)
      COMMON /DIMS/ L, M
      REAL X(L:M, 0:N-1)
      PRINT *, X(-1,0), X(2,0), X(L,N-1), X(M,N-1)
      N1 = 0
      DO 10 J = 0, N-1
10    N1 = N1 + INT(X(0,J))
      PRINT *, N1
      END
      SUBROUTINE TWO(X, N)
      REAL X(N, 2:*)
      PRINT *, X(1,2), X(2,3), X(1,5)
      END
