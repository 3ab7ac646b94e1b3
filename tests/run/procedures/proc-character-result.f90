! CHARACTER functions: fixed length, and CHARACTER*(*) lengths from the caller.
program proc_character_result
  implicit none
  character(len=4) :: four
  character(len=8) :: star
  external four, star
  character(len=12) :: s
  s = four(1) // star('xy')
  print *, s, '|'
  print *, four(2), star('a'), '|'
  print *, twice('ab'), '|', twice('xyz'), '|', len(twice('12345'))
contains
  function twice(t)
    character(len=*), intent(in) :: t
    character(len=2 * len(t)) :: twice
    twice = t // t
  end function twice
end program
character(len=4) function four(n)
  implicit none
  integer, intent(in) :: n
  four = 'abcdefgh'
  if (n == 2) four = 'z'
end function
character*(*) function star(t)
  implicit none
  character*(*) t
  integer :: i
  do i = 1, len(star)
    star(i:i) = t(1:1)
  end do
end function
