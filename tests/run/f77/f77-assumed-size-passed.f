C     Arrays of assumed size are passed on to dummy arrays of known size.
      PROGRAM P
      REAL A(12)
      DATA A /12*1.0/
      CALL OUTER(A, A(7), 3)
      PRINT *, A
      END
      SUBROUTINE OUTER(V, W, N)
      INTEGER N
      REAL V(*), W(N, *)
      CALL INNER(V, 2.0)
      CALL INNER(W, 3.0)
      CALL INNER(V(2), 0.5)
      CALL SQUARE(W)
      END
      SUBROUTINE INNER(X, F)
      REAL X(5), F
      INTEGER I
      DO 10 I = 1, 5
   10 X(I) = X(I)*F + I
      END
      SUBROUTINE SQUARE(X)
      REAL X(2, 2)
      X(2, 2) = -X(1, 2)
      END
