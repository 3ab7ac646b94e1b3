C     Lines that look like one statement and are another.
      PROGRAM CLASS
      INTEGER IF(10), DO10I, REALX, CALLF, WRITE(5,5), FORMAT(3)
      REAL DO 10 K, END, DATA(5), GOTO3
      DO 10 I = 1, 10
   10 CONTINUE
      DO10I=1.10
      DO 10 J = 1.10
      DO20I=1,10
   20 CONTINUE
      D O 3 0 K = 1 , F ( 1 , 2 )
   30 CONTINUE
      DO40I=F(1,10)
      DO 40 E5 = 1, 3
   40 CONTINUE
      DO 45 H = 1, 3
   45 CONTINUE
      IF(I)=3
      IF(I)(2:3)='A'
      IF(I)3,4,5
      IF(I.EQ.3)IF(3)=4
      IF(I.EQ.3)GOTO3=4
      IF(I.EQ.3)GOTO3
      IF(I.EQ.3)THEN
      ELSEIF(I.EQ.4)THEN
      ELSE
      ENDIF
      IF(I.EQ.3)THEN=3
      IF (1.EQ.I) X = 1.E5.EQ.Y
      REALX=3
      CALLF=3
      CALLF
      CALL F(3HABC, *100, *200)
      END=3
      DATA(3)=4
      WRITE(1,2)=3
      WRITE(1,2)A,B
      FORMAT(3)=4
  100 FORMAT(1X,5HHELLO,I5,/,'it''s',3(F10.2,1X),1X3HABC)
      READ5,X
      READ(5,*)X
      PRINT*,X
      PRINT10,X
      PRINT'(A)','X'
      ASSIGN10TOI
      GOTOI,(10,20)
      GOTO I
      GOTO(10,20,30)I
      GO TO (10, 20) , I+1
      RETURN1
      RETURN
      STOP
      STOP77
      PAUSE'HI'
      X=1.D0+1D0+.5E-3+5.
      Y = A .LT. B .AND. .NOT. C .OR. D .EQV. E
    3 CONTINUE
    4 CONTINUE
    5 CONTINUE
  200 END
      SUBROUTINEFOO(A,B,*)
      REAL*8FUNCX
      REAL*8HEIGHT
      INTEGER*4FUNCTION
      REALFUNCTIONX(10)
      CHARACTER*8 HX, A*4, C(3)*5
      CHARACTER*(*)B
      IMPLICITREAL*8(A-H,O-Z),INTEGER(I-N)
      PARAMETER(N=3,M=N+1)
      COMMON/BLK/X,Y(3)/BLK2/Z,//W
      COMMON A1,B1
      EQUIVALENCE(A,B),(C(1),D(1,2))
      DATAX/1/,Y/3*2.5,-1.0/,(Z(I),I=1,3)/3*0/
      DATA H/4HABCD/, K/2*3HXYZ/
      SAVE
      SAVE/BLK/,Q
      EXTERNALF,G
      INTRINSICSIN
      DIMENSIONR(3),S(0:5,*)
      ENTRYBAR(A,*)
      BACKSPACE6
      REWIND(UNIT=6,ERR=10)
      ENDFILE6
      END FILE (6)
      OPEN(6,FILE='X',STATUS='OLD',ERR=10,IOSTAT=I)
      CLOSE(6)
      INQUIRE(FILE='X',EXIST=L)
   10 END
      REAL*8FUNCTIONF(X)
      F=X
      END
      DOUBLEPRECISIONFUNCTIONG(X)
      G=X
      END
      BLOCKDATA
      COMMON/C/X
      END
      RECURSIVEFUNCTIONH(N)RESULT(R)
      INTEGERR
      END FUNCTION H
