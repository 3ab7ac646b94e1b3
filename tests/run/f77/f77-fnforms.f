C     FORTRAN 77: fnforms
      PROGRAM FF
      REAL*8 F1, F2
      DOUBLE COMPLEX F3
      INTEGER*2 F4
      LOGICAL*4 F5
      COMPLEX F6
      CHARACTER*3 F7
      PRINT *, F1(2D0), F2(), F3(1D0), F4(3), F5(1,2), F6(2.), F7()
      END
      REAL*8 FUNCTION F1(X)
      REAL*8 X
      F1 = X*2
      END
      DOUBLE PRECISION FUNCTION F2()
      F2 = 1.25D0
      END
      DOUBLE COMPLEX FUNCTION F3(X)
      REAL*8 X
      F3 = DCMPLX(X, 2*X)
      END
      INTEGER*2 FUNCTION F4(I)
      F4 = I*I
      END
      LOGICAL FUNCTION F5(I,J)
      F5 = I .LT. J
      END
      COMPLEX FUNCTION F6(X)
      F6 = CMPLX(X,-X)
      END
      CHARACTER*3 FUNCTION F7()
      F7 = 'ab'
      END
