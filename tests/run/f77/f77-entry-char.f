C     ENTRY in a CHARACTER function and one with array arguments
      PROGRAM ENTCH
      CHARACTER*5 UP, DOWN
      REAL A(3), S1, S2
      DATA A /1.,2.,3./
      PRINT *, UP('abc'), '|', DOWN('XYZ'), '|'
      PRINT *, S1(A,3), S2(A,3,2.)
      END
      CHARACTER*5 FUNCTION UP(S)
      CHARACTER*(*) S
      CHARACTER*5 DOWN
      UP = 'U' // S
      RETURN
      ENTRY DOWN(S)
      DOWN = 'D' // S
      END
      FUNCTION S1(A,N)
      DIMENSION A(N)
      S1 = 0
      DO 10 I = 1, N
   10 S1 = S1 + A(I)
      RETURN
      ENTRY S2(A,N,F)
      S2 = 0
      DO 20 I = 1, N
   20 S2 = S2 + F*A(I)
      END
