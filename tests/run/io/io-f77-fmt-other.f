C     FORTRAN 77: fmt-other
      PROGRAM FO
      CHARACTER*8 C
      C = 'abcdef'
      WRITE(*,'(A,A3,A10,1X,A)') C, C, C, 'z'
      WRITE(*,'(T5,A,T1,A,T20,A,TL3,A,TR2,A)') 'a','b','c','d','e'
      WRITE(*,'(1X,I3,/,1X,I3,//,I3)') 1,2,3
      WRITE(*,'(I3,:,'' more '',I3)') 1
      WRITE(*,'(I3,'' more '',I3)') 1
      WRITE(*,100)
  100 FORMAT(1X,'it''s',3X,5Hhello,"q",2('x',1X),'end')
      WRITE(*,110) (I,I=1,10)
  110 FORMAT('head',3(I3),(2X,2I4))
      WRITE(*,120) (I,I=1,7)
  120 FORMAT(I2,2(I3,(I4)))
      WRITE(*,'(3X,''a'',2X)')
      WRITE(*,'(''abc'',$)')
      WRITE(*,'(''def'')')
      WRITE(*,'(''abc'',$)')
      WRITE(*,'(''def'')')
      WRITE(*,130) 1.5, 2, 'x'
  130 FORMAT(F5.1 I3 A2)
      WRITE(*,140) 1,2
  140 FORMAT(2(I3/))
      WRITE(*,'(A5,I5)') 'abc', 1, 'de', 2
      END
