C Continuation lines in fixed form, in strings too; text beyond column 72.
      PROGRAM CONTIN
      INTEGER I
      CHARACTER*80 S
      I = 1 +                                                           IGNORED
     1    2 +
     $    3
     +    + 4
      S = 'abc
     &def'
      PRINT *, I
      PRINT *, LEN_TRIM(S), S(1:3), S(LEN_TRIM(S)-2:LEN_TRIM(S))
C A comment between
*     another kind of comment

! and one more
      I = I *
c lower case comment inside a statement
     &    10
      PRINT *, I ! at the end of a line
      PRI
     &NT *, 'DONE'
      END
