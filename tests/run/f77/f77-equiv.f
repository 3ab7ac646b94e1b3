C     FORTRAN 77: equiv
      PROGRAM EQ
      COMMON /B/ X(4), Y
      EQUIVALENCE (X(2), A(1)), (A(3), Q), (C, D)
      DIMENSION A(6)
      CHARACTER*4 C
      CHARACTER*2 D(2)
      INTEGER I4
      REAL R4
      EQUIVALENCE (I4, R4)
      DOUBLE PRECISION DD
      REAL RR(2)
      INTEGER*2 HH(4)
      EQUIVALENCE (DD, RR, HH)
      DO 10 I = 1, 4
   10 X(I) = I
      Y = 5
      A(6) = 99
      PRINT *, A, Q
      CALL S
      C = 'wxyz'
      PRINT *, D(2), D(1)
      R4 = 1.0
      PRINT *, I4
      DD = 1D0
      PRINT *, RR, HH
      END
      SUBROUTINE S
      COMMON /B/ Z(7)
      PRINT *, Z
      END
