C Procedures as arguments: EXTERNAL and INTRINSIC names.
      PROGRAM PARG
      EXTERNAL SQUARE, CUBE, SHOW
      INTRINSIC ABS, SQRT
      PRINT *, APPLY(SQUARE, 3.0), APPLY(CUBE, 3.0)
      PRINT *, APPLY(ABS, -2.5), APPLY(SQRT, 16.0)
      CALL TWICE(SHOW, 7)
      END
      REAL FUNCTION APPLY(F, X)
      EXTERNAL F
      REAL F, X
      APPLY = F(X) + 1.0
      END
      REAL FUNCTION SQUARE(X)
      SQUARE = X * X
      END
      REAL FUNCTION CUBE(X)
      CUBE = X * X * X
      END
      SUBROUTINE TWICE(P, N)
      EXTERNAL P
      CALL P(N)
      CALL P(N + 1)
      END
      SUBROUTINE SHOW(N)
      PRINT *, 'SHOW', N
      END
