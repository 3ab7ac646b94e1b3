C     FORTRAN 77: nml
      PROGRAM NM
      INTEGER I, K(5)
      REAL X
      DOUBLE PRECISION D
      LOGICAL L
      CHARACTER*8 C, CA(2)*3
      COMPLEX Z
      NAMELIST /GRP/ I, K, X, D, L, C, CA, Z
      DATA K /5*0/, CA /2*'zz'/
      I = 1
      X = 1.5
      D = 2.5D0
      L = .TRUE.
      C = 'hello'
      Z = (1.,2.)
      WRITE(*, GRP)
      READ(*, GRP)
      WRITE(*, NML=GRP)
      READ(*, NML=GRP, IOSTAT=J)
      PRINT *, J, I, X, K
      WRITE(*, NML=GRP)
      END
