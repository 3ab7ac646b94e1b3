c Comments of all letters
* star
! bang
d debug

      PROGRAM FORM
      INTEGER I, J ! a comment
      I = 1 +
     1    2 +
C     a comment between

     &    3
      J = I ;I = J; ; J = 2 ! after
	K = 5
	1 + 6
 10	L = 7
      CHARACTER*20 S
      S = 'a string that goes over the end of the line and so has blanks
     1 in it'
      S = 62HA HOLLERITH OVER LI
     1NES
      S = 'it''s ! no comment'                                          ignored
      X = 1                                                             + 2
      I
     1F (I .EQ. 1) THEN
      X = 2
      END
     2IF
      CALL SUB(I, ! one
     1         J) ! two
!HPF$ INDEPENDENT
CHPF$ DISTRIBUTE A(BLOCK)
!HPF$ DISTRIBUTE
!HPF$&  B(CYCLIC)
C$OMP PARALLEL DO
C$OMP+ SHARED(A)
!$OMP  END PARALLEL DO
      END
