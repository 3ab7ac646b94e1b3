C     FORTRAN 77: cplx
      PROGRAM CX
      COMPLEX Z, W, ZA(2)
      DOUBLE COMPLEX DZ
      COMPLEX*16 DW
      COMPLEX*8 Z8
      PARAMETER (PI = 3.14159)
      Z = (1.0, 2.0)
      W = Z * (0., 1.) + 1
      ZA(1) = CONJG(Z)
      ZA(2) = Z**2
      PRINT *, W, ZA, REAL(Z), AIMAG(Z)
      DZ = (1D0, -1D0)
      DW = DZ * 2 + Z
      Z8 = DW
      PRINT *, DZ, DW, Z8
      PRINT *, DREAL(DZ), DIMAG(DZ), DCONJG(DZ), DCMPLX(1.5, 2)
      PRINT *, Z .EQ. (1.,2.), Z .NE. W, ABS((3.,4.)), CDABS((3D0,4D0))
      PRINT *, CMPLX(1), CMPLX(1,2), -Z, Z/W
      WRITE(*, '(1X, 4F8.3)') Z, W
      READ(*,*) Z, DZ
      PRINT *, Z, DZ
      READ(*,'(2F5.1)') Z
      PRINT *, Z
      PRINT *, CSQRT((0.,2.)), ZABS((3D0,4D0)), 2**Z/2**Z
      END
