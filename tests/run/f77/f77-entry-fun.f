C     ENTRY in a function: results share storage
      PROGRAM ENTFUN
      REAL A, B, F
      INTEGER IG
      DOUBLE PRECISION D
      EXTERNAL A, B
      PRINT *, A(2.0), B(2.0)
      PRINT *, F(1.5), IG(3), D(2)
      END
      REAL FUNCTION A(X)
      REAL B, X
      A = X + 1
      RETURN
      ENTRY B(X)
      A = X * 10
      END
      REAL FUNCTION F(X)
      INTEGER IG, I
      DOUBLE PRECISION D
      F = X*2
      RETURN
      ENTRY IG(I)
      IG = I*3
      RETURN
      ENTRY D(I)
      D = I*0.5D0
      RETURN
      END
