C     ENTRY with arrays of adjustable dimensions in other orders of the arguments.
      PROGRAM MAIN
      REAL A(2,3), B(3,2), S
      DATA A /1.,2.,3.,4.,5.,6./
      CALL FILL(A, 2, 3, 10.)
      CALL TRAN(B, A, 3, 2)
      PRINT '(3F6.1)', B
      CALL TOTAL(S, 3, B, 2)
      PRINT *, S
      END
      SUBROUTINE FILL(X, M, N, C)
      REAL X(M,N), Y(N,M)
      DO 10 J = 1, N
      DO 10 I = 1, M
10    X(I,J) = X(I,J) + C
      RETURN
      ENTRY TRAN(X, Y, M, N)
      DO 20 I = 1, M
      DO 20 J = 1, N
20    X(I,J) = Y(J,I)
      RETURN
      ENTRY TOTAL(S, M, X, N)
      S = 0.
      DO 30 J = 1, N
      DO 30 I = 1, M
30    S = S + X(I,J)
      END
