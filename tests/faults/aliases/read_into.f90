! told at 13:17: 'b' is used, and 'a', which is the same storage, is defined at read_into.f90:12:25
! flags: -fcheck=alias
program fault
  integer :: n
  n = 3
  call get(n, n)
contains
  subroutine get(a, b)
    integer :: a, b
    character(len=3) :: text
    text = ' 12'
    read (text, '(i3)') a
    print *, a, b
  end subroutine
end program
