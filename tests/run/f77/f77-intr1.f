C     FORTRAN 77: intr1
      PROGRAM I1
      DOUBLE PRECISION D
      COMPLEX Z
      D = -2.5D0
      Z = (1.,2.)
      PRINT *, IABS(-3), DABS(D), CABS((3.,4.)), ABS(D)
      PRINT *, INT(2.7), IFIX(2.7), IDINT(D), FLOAT(3), DFLOAT(3), SNGL(
     +D)
      PRINT *, AINT(2.7), DINT(D), ANINT(2.5), DNINT(D), NINT(2.5), IDNI
     +NT(D)
      PRINT *, MOD(7,3), AMOD(7.5,2.), DMOD(7.5D0,2D0), ISIGN(3,-1), SIG
     +N(2.,-0.5), DSIGN(1D0,D)
      PRINT *, IDIM(5,3), DIM(1.,3.), DDIM(5D0,3D0), DPROD(1.5,2.)
      PRINT *, MAX0(1,5,3), AMAX1(1.,2.), DMAX1(1D0,2D0), AMAX0(1,2), MA
     +X1(1.5,2.5)
      PRINT *, MIN0(1,5,3), AMIN1(1.,2.), DMIN1(1D0,2D0), AMIN0(1,2), MI
     +N1(1.5,2.5)
      PRINT *, LEN('abc'), INDEX('hello','l'), ICHAR('A'), CHAR(66)
      PRINT *, AIMAG(Z), CONJG(Z), REAL(Z), CMPLX(1.,2.)
      WRITE(*,'(6F10.5)') SQRT(2.), DSQRT(2D0), EXP(1.), DEXP(1D0), ALOG
     +(2.), DLOG(2D0)
      WRITE(*,'(6F10.5)') ALOG10(2.), DLOG10(2D0), LOG(2.), LOG10(2D0), 
     +CLOG(Z)
      WRITE(*,'(6F10.5)') CSQRT(Z), CEXP(Z), CSIN(Z), CCOS(Z)
      WRITE(*,'(6F10.5)') SIN(1.), DSIN(1D0), COS(1.), DCOS(1D0), TAN(1.
     +), DTAN(1D0)
      WRITE(*,'(6F10.5)') ASIN(.5), DASIN(.5D0), ACOS(.5), DACOS(.5D0), 
     +ATAN(.5), DATAN(.5D0)
      WRITE(*,'(6F10.5)') ATAN2(1.,2.), DATAN2(1D0,2D0), SINH(1.), DSINH
     +(1D0), COSH(1.), DCOSH(1D0)
      WRITE(*,'(6F10.5)') TANH(1.), DTANH(1D0)
      PRINT *, LGE('a','b'), LGT('a','b'), LLE('a','b'), LLT('a','b')
      END
