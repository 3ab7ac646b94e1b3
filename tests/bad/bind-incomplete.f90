subroutine s() bind(c, title='x')
end subroutine
