C     LGE, LGT, LLE, LLT, ICHAR and CHAR, INDEX of what is not there, and comparison of different lengths.
      PROGRAM MAIN
      CHARACTER*3 A, B*5
      A = 'ABC'
      B = 'ABC'
      PRINT *, A .EQ. B, LGE(A, B), LLT('A', 'a'), LGT('Z', 'A'),
     & LLE('A', 'B')
      PRINT *, 'A' .LT. 'AB', 'AB ' .GT. 'AB', 'a' .GT. 'Z',
     & ' ' .LT. '0'
      PRINT *, ICHAR('0'), CHAR(ICHAR('A') + 2), INDEX('BANANA',
     & 'ANA'), INDEX('X', 'XX')
      PRINT *, LEN(A//B), LEN('it''s')
      END
