C     BLOCK DATA that initialises a COMMON block through EQUIVALENCE.
      PROGRAM MAIN
      COMMON /BLK/ I, J, K, L
      CHARACTER*4 C(2)
      COMMON /TXT/ C
      PRINT *, I, J, K, L
      PRINT *, C
      END
      BLOCK DATA INIT
      COMMON /BLK/ N(4)
      COMMON /TXT/ S
      CHARACTER*8 S
      INTEGER M(2)
      EQUIVALENCE (M(1), N(3))
      DATA N(1), N(2) /11, 12/, M /13, 14/
      DATA S /'ABCDEFGH'/
      END
