C Blanks mean nothing in fixed form: statements and names may be torn apart.
      PRO GRAM BLANKS
      INTEGER DO10I, AL PHA
      DO 10 I = 1.10
      DO10J=1,3
      ALPHA = J * 2
   10 CONTINUE
      DO10I = 7
      PRINT *, A LP HA, D O 1 0 I, J
      IF (ALPHA .E Q. 6) P R I N T *, 'BLANKS COUNT  HERE'
      E N D
