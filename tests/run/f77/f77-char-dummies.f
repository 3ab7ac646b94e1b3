C     CHARACTER*(*) dummy arguments, functions with a length of their own, and arrays of strings.
      PROGRAM MAIN
      CHARACTER*5 W(3), REV, R
      DATA W /'PEAR', 'FIG', 'APPLE'/
      CALL SORT(W, 3)
      PRINT *, W
      R = REV('HELLO')
      PRINT *, R, LEN(REV('AB'))
      CALL SHOW('SHORT', 'A LONGER ONE')
      END
      SUBROUTINE SORT(A, N)
      CHARACTER*(*) A(N), T*5
      DO 10 I = 1, N-1
      DO 10 J = I+1, N
      IF (A(J) .LT. A(I)) THEN
        T = A(I)
        A(I) = A(J)
        A(J) = T
      END IF
10    CONTINUE
      END
      CHARACTER*5 FUNCTION REV(S)
      CHARACTER*(*) S
      REV = ' '
      DO 10 I = 1, MIN(5, LEN(S))
10    REV(6-I:6-I) = S(I:I)
      END
      SUBROUTINE SHOW(A, B)
      CHARACTER*(*) A, B
      PRINT *, LEN(A), LEN(B), ' ', A//'/'//B
      END
