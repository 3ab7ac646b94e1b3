C BLOCK DATA, named and unnamed, gives COMMON its first values.
      BLOCK DATA FIRST
      COMMON /ONE/ I, X(3), S
      CHARACTER*4 S
      DATA I / 42 /, X / 1.0, 2*2.0 /, S / 'WXYZ' /
      END
      PROGRAM BLOCKD
      COMMON /ONE/ I, X(3), S
      CHARACTER*4 S
      COMMON /TWO/ D, L
      DOUBLE PRECISION D
      LOGICAL L
      PRINT *, I, X, S
      PRINT *, D, L
      END
      BLOCK DATA
      COMMON /TWO/ D, L
      DOUBLE PRECISION D
      LOGICAL L
      DATA D / 0.1D0 /, L / .TRUE. /
      END
