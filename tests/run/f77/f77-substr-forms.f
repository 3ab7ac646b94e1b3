C     Substrings with open ends, of array elements, in assignments and as arguments.
      PROGRAM MAIN
      CHARACTER*10 S, A(2)
      S = 'ABCDEFGHIJ'
      A(1) = S(:4)//S(8:)
      A(2) = S(5:5)
      PRINT *, A(1), A(2), S(10:), S(3:3)
      S(2:4) = 'X'
      PRINT *, S
      I = 6
      S(I:I+2) = S(1:1)//S(I+3:I+4)
      PRINT *, S
      CALL CHANGE(S(2:4), A(2)(3:))
      PRINT *, S, A(2)
      PRINT *, LEN(S(3:7)), INDEX(S(2:), 'J')
      END
      SUBROUTINE CHANGE(P, Q)
      CHARACTER*(*) P, Q
      P = 'PQRS'
      Q(LEN(Q):) = '!'
      END
