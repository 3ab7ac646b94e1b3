C     FORTRAN 77: tabs
      PROGRAM TB
	INTEGER I
	I = 1
	PRINT *, 'tab',
	1 I
  10	CONTINUE
      D O 2 0 J = 1 , 2
   20 P R I N T *, J
      I F ( I . E Q . 1 ) G O T O 3 0
   30 C O N T I N U E
      RA = 1 . 5 E 1
      PRINT *, RA
      E N D
