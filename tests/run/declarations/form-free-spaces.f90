! Optional blanks in keywords: END DO, ENDDO, ELSE IF, GO TO, IN OUT …
program form_free_spaces
  implicit none
  integer::i,j
  doubleprecision::d
  double precision :: e
  d=1.5d0;e=2.5d0
  do i=1,2
    do j=1,2
      if(i==j)then
        print*,i,j
      elseif(i<j)then
        goto 10
      endif
10    continue
    enddo
  end  do
  print*,d*e
  call sub(i)
  print*,i
contains
  subroutine sub(k)
    integer,intent(in out)::k
    k=k+1
  endsubroutine sub
endprogram form_free_spaces
