C A tab at the start of a line stands for the label field.
      PROGRAM TABS
	INTEGER I
	I = 5
10	CONTINUE
	I = I - 1
	IF (I .GT. 2) GOTO 10
	PRINT *, I,
     1  ' TABS'
	END
