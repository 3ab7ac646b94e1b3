C     FORTRAN 77: data1
      PROGRAM DT
      DIMENSION A(3,3), K(10), M(2,2)
      CHARACTER*6 C, CA(3)*2
      COMPLEX Z
      LOGICAL L(4)
      DOUBLE PRECISION D
      DATA ((A(I,J), I=1,3), J=1,3) /9*1.5/
      DATA (K(I), I=1,9,2) /5*7/, (K(I),I=2,10,2) /1,2,3,4,5/
      DATA C(1:3), C(4:6) /'abc', 'def'/
      DATA CA /3*'zz'/, Z /(1.0,-2.0)/, L /2*.TRUE., 2*.FALSE./
      DATA ((M(I,J), J=1,I), I=1,2) /1,2,3/, M(1,2) /9/
      DATA D, R, I1 /1, 2, 3.7/
      PRINT *, A
      PRINT *, K
      PRINT *, C, CA, Z, L
      PRINT *, M
      PRINT *, D, R, I1
      END
