! CHARACTER*(*) dummies, arrays of them, lengths passed along, local copies.
program char_assumed_length
  implicit none
  character(len=5) :: s, v(3)
  integer :: i
  s = 'hello'
  call show(s)
  call show('hi')
  call show(s(2:4) // 'xx')
  v = (/ 'one  ', 'two  ', 'three' /)
  call list(v, 3)
  call upper(s)
  print *, s
  do i = 1, 3
    call upper(v(i)(1:2))
  end do
  print *, v
end program
subroutine show(t)
  implicit none
  character(len=*) :: t
  character(len=len(t) + 2) :: framed
  framed = '<' // t // '>'
  print *, framed, len(t), len(framed)
end subroutine
subroutine list(w, n)
  implicit none
  integer :: n, i
  character*(*) w(n)
  do i = n, 1, -1
    call show(w(i))
  end do
end subroutine
subroutine upper(t)
  implicit none
  character(len=*), intent(inout) :: t
  integer :: i
  do i = 1, len(t)
    if (t(i:i) >= 'a' .and. t(i:i) <= 'z') t(i:i) = char(ichar(t(i:i)) - 32)
  end do
end subroutine
