! Deferred-length characters: growth by concatenation, arrays, results, arguments, SOURCE=, pointers.
module texts
  implicit none
contains
  function joined(words, sep) result(s)
    character(*), intent(in) :: words(:), sep
    character(:), allocatable :: s
    integer :: i
    s = ''
    do i = 1, size(words)
      if (i > 1) s = s//sep
      s = s//trim(words(i))
    end do
  end function
  subroutine grow(s)
    character(:), allocatable, intent(inout) :: s
    s = '<'//s//'>'
  end subroutine
end module
program char_deferred_everywhere
  use texts
  implicit none
  character(:), allocatable :: s, t, a(:)
  character(:), pointer :: p
  character(7), target :: w(3) = ['one    ', 'three  ', 'seven..']
  s = joined(w, ', ')
  print *, len(s), s
  call grow(s)
  call grow(s)
  print *, len(s), s
  t = s(3:5)
  s = s(4:4)//t
  print *, s, '|', t
  allocate (a(2), source=w(2:3))
  print *, len(a), a
  a = [character(3) :: 'x', 'yz']
  print *, len(a), size(a), a
  p => w(2)(1:5)
  p(1:1) = 'T'
  print *, len(p), p, w(2)
  deallocate (s)
  allocate (character(4) :: s)
  s(:) = 'abcdef'
  print *, len(s), s
  s = repeat(s, 2)
  print *, s
end program
