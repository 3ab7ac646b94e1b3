C DATA for substrings' owners, arrays of strings, and Hollerith-free constants.
      PROGRAM DATCHR
      CHARACTER*3 A(4), B*5, C(2)*1
      INTEGER I
      DATA (A(I), I = 1, 3) / 'one', 'tw', 'three' /, A(4) / ' ' /
      DATA B(1:2) / 'xy' /, B(3:5) / 'z' /
      DATA C / 2*'!' /
      PRINT *, A, '|', B, '|', C
      DO 10 I = 4, 1, -1
      A(I) = C(1) // A(5 - I)
   10 PRINT *, A(I)
      END
