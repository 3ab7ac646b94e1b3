C     EQUIVALENCE that makes a COMMON block longer, and a chain of three.
      PROGRAM MAIN
      COMMON /C/ A, B
      REAL X(5), Y(2)
      EQUIVALENCE (B, X(1)), (X(4), Y(2))
      A = 1.
      DO 10 I = 1, 5
10    X(I) = 10.*I
      PRINT *, A, B, Y
      CALL SUB
      PRINT *, X
      END
      SUBROUTINE SUB
      COMMON /C/ Z(6)
      PRINT *, Z
      Z(3) = -1.
      END
