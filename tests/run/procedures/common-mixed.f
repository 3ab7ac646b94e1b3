C COMMON with variables of different sizes and types in falling order.
      PROGRAM CMIX
      DOUBLE PRECISION D
      COMPLEX Z
      REAL R
      INTEGER I
      LOGICAL L
      CHARACTER*8 S
      COMMON /MIX/ D(2), Z, R, I, L
      COMMON /TXT/ S(2)
      D(1) = 1.5D0
      D(2) = -2.5D0
      Z = (1.0, 2.0)
      R = 0.5
      I = 7
      L = .TRUE.
      S(1) = 'ABCDEFGH'
      S(2) = 'second'
      CALL LOOK
      PRINT *, D, Z, R, I, L, S
      END
      SUBROUTINE LOOK
      DOUBLE PRECISION D1, D2
      REAL ZR, ZI, RR
      INTEGER II
      LOGICAL LL
      CHARACTER*4 S
      COMMON /MIX/ D1, D2, ZR, ZI, RR, II, LL
      COMMON /TXT/ S(4)
      PRINT *, D2, D1, ZI, ZR, RR, II, LL
      PRINT *, S(2), S(1), S(3)
      ZI = -ZI
      II = II + 1
      LL = .FALSE.
      S(2) = S(3)
      END
