C EQUIVALENCE extends a COMMON block at its end.
      PROGRAM EQCOM
      COMMON /E/ A(3)
      INTEGER A, B(5)
      EQUIVALENCE (A(2), B(1))
      DO 10 I = 1, 5
   10 B(I) = I * 11
      A(1) = 1
      CALL S
      PRINT *, A, B
      END
      SUBROUTINE S
      COMMON /E/ V(6)
      INTEGER V
      PRINT *, V
      V(3) = -V(3)
      END
