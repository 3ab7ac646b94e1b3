C     FORTRAN 77: substr
      PROGRAM SS
      CHARACTER*10 A, B(2)*4
      CHARACTER C
      A = 'abcdefghij'
      A(3:5) = 'XYZW'
      PRINT *, A, A(:2), A(8:), A(4:4)
      B(1) = A(1:2) // A(9:10)
      B(2)(2:3) = '--'
      B(2)(1:1) = '<'
      B(2)(4:) = '>'
      PRINT *, B(1), B(2), B(1)(2:3) // B(2)(1:1) // 'lit'
      I = 3
      C = A(I:I)
      PRINT *, C, LEN(A(I:7)), INDEX(A, 'XY'), ICHAR(C), CHAR(65)
      A = A(2:)
      PRINT *, A
      IF (A .LT. 'b') THEN
      PRINT *, 'less'
      ELSE IF ('ab' .EQ. 'ab  ') THEN
      PRINT *, 'equal padded'
      ENDIF
      PRINT *, LGE('B','A'), LLT('a','ab'), 'abc' .GT. 'ab'
      CALL S(A(2:4), 'x' // A(:1))
      PRINT *, A
      END
      SUBROUTINE S(X, Y)
      CHARACTER*(*) X, Y
      PRINT *, LEN(X), LEN(Y), X, Y
      X = '123456'
      END
