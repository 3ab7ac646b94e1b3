      PROGRAM P
      INTEGER NFORM(6), K(2,3)
      REAL*8 R(2)
      REAL Q
      DATA NFORM /4H(1X,,4H2I5,,4H1X,F,4H6.2),4H    ,4H    /
      DATA K /4H(I3,,4HXXXX,4H' o ,4HYYYY,4Hk') ,4HZZZZ/
      DATA R /8H(1X,A3, ,8H I4)    /
      WRITE (*, NFORM) 1, 2, 3.5
      WRITE (*, K(1,:)) 7
      WRITE (*, R) 'abc', 12
      Q = 4HABCD
      R(1) = 3HXYZ
      WRITE(*,"(A4,A8)") Q, R(1)
      NFORM(2) = 4H3I4,
      WRITE (*, FMT=NFORM) 1, 2, 4, 3.5
      CALL SUB(NFORM, 6)
      END
      SUBROUTINE SUB(N, M)
      INTEGER N(M)
      PRINT N, 8, 9, 10, 1.25
      END
