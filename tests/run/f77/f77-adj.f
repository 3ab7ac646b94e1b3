C     FORTRAN 77: adj
      PROGRAM AD
      PARAMETER (N=3, M=N*2-1)
      DIMENSION A(N,M), B(0:N), C(-2:2), D(N+1)
      CHARACTER*(N) S
      CHARACTER T*(M+1)
      CALL F(A, N, M)
      CALL G(A, 5)
      CALL H(B, 0, N)
      S = 'abcdef'
      T = 'abcdefgh'
      PRINT *, A
      PRINT *, B, S, T
      C(-2) = 1
      D(4) = 2
      PRINT *, C(-2), D(4)
      END
      SUBROUTINE F(A, N, M)
      DIMENSION A(N,M)
      DO 10 J=1,M
      DO 10 I=1,N
   10 A(I,J) = I + 10*J
      END
      SUBROUTINE G(A, K)
      DIMENSION A(*)
      A(K) = -1
      END
      SUBROUTINE H(B, L, N)
      DIMENSION B(L:N)
      DO 10 I = L, N
   10 B(I) = I
      END
