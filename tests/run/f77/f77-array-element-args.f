C     Array elements and whole arrays passed to arrays of another shape: sequence association.
      PROGRAM MAIN
      INTEGER M(3,4), V(12)
      EQUIVALENCE (M, V)
      DO 10 I = 1, 12
10    V(I) = I
      PRINT *, ISUM(M(1,2), 3), ISUM(M, 12), ISUM(M(3,4), 1)
      CALL DOUBLE(M(2,1), 2, 3)
      PRINT '(3I4)', M
      END
      INTEGER FUNCTION ISUM(K, N)
      INTEGER K(N)
      ISUM = 0
      DO 10 I = 1, N
10    ISUM = ISUM + K(I)
      END
      SUBROUTINE DOUBLE(A, M, N)
      INTEGER A(M,N)
      DO 10 J = 1, N
      DO 10 I = 1, M
10    A(I,J) = 2*A(I,J)
      END
