! told at 12:14: 'b' is used, and 'a', which is the same storage, is defined at character.f90:11:5
! flags: -fcheck=alias
program fault
  character(len=4) :: c
  c = 'abcd'
  call set(c, c)
contains
  subroutine set(a, b)
    character(len=*), intent(out) :: a
    character(len=*), intent(in) :: b
    a = 'new'
    print *, b
  end subroutine
end program
