C     FORTRAN 77: list-write
      PROGRAM LW
      CHARACTER*3 C
      COMPLEX Z
      DOUBLE PRECISION D(7)
      REAL R(8)
      INTEGER*1 I1
      INTEGER*2 I2
      INTEGER*8 I8
      LOGICAL*1 L
      DATA D /0D0,1D0,-1D0,1D100,1.5D-300,123456789.123456789D0,0.1D0/
      DATA R /0.,1.,-1.,1E30,1E-30,123456.7,0.1,1E7/
      C = 'abc'
      Z = (1.,-2.5)
      I1 = 1
      I2 = 2
      I8 = 3
      L = .TRUE.
      PRINT *, D
      PRINT *, R
      PRINT *, C, C, 1, C, 2.5, C, L, Z
      PRINT *, I1, I2, I8, 4, L
      PRINT *, (I,I=1,30)
      PRINT *
      PRINT *, ' '
      PRINT *, ''
      WRITE(*,*) 'a long string that goes on and on and on and on and', 
     +' on until it does not fit', 1, 2, 3
      WRITE(*,*) (Z,I=1,5)
      WRITE(*,*) (.TRUE.,I=1,45)
      END
